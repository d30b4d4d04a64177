// Reader CACHE TIME [KIND...]: prints the entries in force at TIME (RFC 3339, UTC) of kinds that agree, by default of all.
//
// Java 17. Its library has no JSON; Gson is one small file without dependencies of its own, and Debian has it:
// java -cp /usr/share/java/gson.jar Reader.java CACHE TIME

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class Reader {
    record Publication(int generation, Map<String, JsonObject> snapshots) {}

    private static JsonObject read(Path cache, String name) throws IOException {
        return JsonParser.parseString(Files.readString(cache.resolve("snapshots").resolve(name))).getAsJsonObject();
    }

    private static int generation(JsonObject object) {
        return object.get("generation").getAsInt();
    }

    static class ChangingException extends IOException {
        ChangingException() {
            super("they do not agree: try cachesyncd sync");
        }
    }

    /**
     * A publication and its snapshots by their kinds. On FUSE and network file systems a file that is just being replaced can
     * seem to be missing or cut off, so that is believed only after a second.
     */
    static Publication agreeing(Path cache, List<String> kinds) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return agreeingNow(cache, kinds);
            } catch (ChangingException problem) {
                throw problem;
            } catch (IOException | JsonParseException | IllegalStateException problem) {
                if (attempt > 20 || !Files.isDirectory(cache.resolve("snapshots"))) throw problem;
                Thread.sleep(50);
            }
        }
    }

    private static Publication agreeingNow(Path cache, List<String> kinds) throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            var manifest = read(cache, "manifest.json");
            var files = manifest.getAsJsonObject("files");
            var found = new TreeMap<String, JsonObject>();
            boolean agrees = true;
            for (String name : files.keySet()) {
                String kind = name.replaceFirst("\\.json$", "");
                if (kind.equals("day-index") || !kinds.isEmpty() && !kinds.contains(kind)) continue;
                found.put(kind, read(cache, name));
                agrees &= generation(found.get(kind)) == generation(files.getAsJsonObject(name));
            }
            if (agrees) return new Publication(generation(manifest), found);
        }
        throw new ChangingException();
    }

    /** The entry in force: the last one whose date is not later, or else the first. The dates compare as texts. */
    static JsonElement inForce(JsonObject snapshot, String time) {
        var entries = new ArrayList<>(snapshot.getAsJsonArray("entries").asList());
        var past = entries.stream().filter(entry -> entry.getAsJsonObject().get("date").getAsString().compareTo(time) <= 0);
        return past.reduce((earlier, later) -> later).orElse(entries.get(0));
    }

    public static void main(String[] words) throws InterruptedException {
        try {
            var publication = agreeing(Path.of(words[0]), List.of(words).subList(2, words.length));
            var entries = new JsonObject();
            publication.snapshots().forEach((kind, snapshot) -> entries.add(kind, inForce(snapshot, words[1])));
            var answer = new JsonObject();
            answer.addProperty("generation", publication.generation());
            answer.add("entries", entries);
            System.out.println(answer);
        } catch (IOException | JsonParseException | IllegalStateException problem) {
            System.err.println("cannot read the snapshots in " + words[0] + ": " + problem.toString().lines().findFirst().get());
            System.exit(1);
        }
    }
}
