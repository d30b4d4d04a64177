// Apps import this library alone.
@_exported public import CacheSyncFeeds
