extension NutritionFeed {
  package static let samples: FeedSamples = [
    "nutrition/sample.json": """
    {"lastUpdated": "2026-11-24T09:40:00Z", "trackingMode": "full",
    "todayNutrition": {"calories": 1234.5, "protein": 80.3, "carbs": 150, "fat": 40},
    "goals": {"calorieTarget": 2000, "proteinTarget": 150, "carbsTarget": 250, "fatTarget": 65},
    "recentFoods": [
    {"id": "oats", "name": "Oatmeal", "calories": 150, "protein": 5, "carbs": 27, "fat": 3,
     "defaultQuantity": 1, "unit": "bowl"},
    {"id": "yoghurt", "name": "Greek yoghurt", "calories": 130, "protein": 18, "carbs": 7, "fat": 3.5,
     "defaultQuantity": 1, "unit": "cup"},
    {"id": "banana", "name": "Banana", "calories": 105, "protein": 1.3, "carbs": 27, "fat": 0.4,
     "defaultQuantity": 1, "unit": "piece"},
    {"id": "bread", "name": "Rye bread", "calories": 83, "protein": 2.7, "carbs": 15.5, "fat": 1.1,
     "defaultQuantity": 2, "unit": "slice"}
    ]}
    """
  ]
}
