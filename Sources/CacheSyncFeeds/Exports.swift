// Every file sees the values, and so does who imports this library.
@_exported public import CacheSyncValues
