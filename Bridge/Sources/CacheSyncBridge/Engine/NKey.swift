import COpenSSL

/// Keys in the format of NATS: base 32 of a prefix, the key's bytes and a CRC-16 (github.com/nats-io/nkeys).
enum NKey {
  /// The public key of a user's seed; nil for an invalid seed. libnats signs with a seed, but requires the public key
  /// as an argument.
  static func publicKey(ofSeed seed: String) -> String? {
    // Two bytes for the prefix, 32 for the seed, two for the checksum.
    guard let bytes = base32(seed), bytes.count == 36, bytes[0] & 0xF8 == 18 << 3,
      crc16(bytes.dropLast(2)) == UInt16(bytes[34]) | UInt16(bytes[35]) << 8,
      let key = ed25519PublicKey(Array(bytes[2..<34]))
    else { return nil }
    let content = [20 << 3] + key
    let check = crc16(content)
    return base32(content + [UInt8(check & 0xFF), UInt8(check >> 8)])
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  static func base32(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for character in text.utf8 {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 5 | UInt32(value)
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  static func base32(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(alphabet[Int(bits >> UInt32(count) & 31)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << UInt32(5 - count) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// CRC-16/XMODEM.
  static func crc16(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(0) { crc, byte in
      (0..<8).reduce(crc ^ UInt16(byte) << 8) { crc, _ in crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
    }
  }

  private static func ed25519PublicKey(_ seed: [UInt8]) -> [UInt8]? {
    guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else { return nil }
    defer { EVP_PKEY_free(key) }
    var bytes = [UInt8](repeating: 0, count: 32)
    var count = bytes.count
    guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == 32 else { return nil }
    return bytes
  }
}
