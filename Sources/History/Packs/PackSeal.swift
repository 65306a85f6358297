import Digests
import LinuxPlatform

/// A random salt of one history that is part of the checksum of every record header, together with the header's place.
///
/// After damage the next record is searched byte by byte. The salt stops bytes of a save from passing for a record. The
/// place stops a record that was copied elsewhere from passing for one of that place. This does not protect against a
/// user or a program that can write to the folder.
struct PackSeal: Hashable {
    static let fileByteCount = 64
    static let form: UInt8 = 1
    private static let letters = Array("HUDHIST".utf8)

    let salt: SHA256Digest

    static func random() -> PackSeal {
        var dice = RandomNumbers()
        return PackSeal(salt: SHA256Digest(words: (dice.next(), dice.next(), dice.next(), dice.next())))
    }

    init(salt: SHA256Digest) {
        self.salt = salt
    }

    func check(of header: UnsafeRawBufferPointer, _ pack: UInt32, _ offset: UInt64) -> UInt64 {
        withUnsafeTemporaryAllocation(byteCount: 48 + header.count, alignment: 8) { room in
            room.storeBytes(of: salt.words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
            room.storeBytes(of: salt.words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
            room.storeBytes(of: salt.words.2.bigEndian, toByteOffset: 16, as: UInt64.self)
            room.storeBytes(of: salt.words.3.bigEndian, toByteOffset: 24, as: UInt64.self)
            room.storeBytes(of: UInt64(pack).bigEndian, toByteOffset: 32, as: UInt64.self)
            room.storeBytes(of: offset.bigEndian, toByteOffset: 40, as: UInt64.self)
            UnsafeMutableRawBufferPointer(rebasing: room[48...]).copyMemory(from: header)
            return Digest.sha256(UnsafeRawBufferPointer(room)).words.0
        }
    }

    /// The first bytes of each pack. The file `seal` holds those of pack 0.
    func head(ofPack number: UInt32) -> [UInt8] {
        var bytes = Self.letters + [Self.form]
        bytes.append(bigEndian: UInt64(number))
        bytes.append(salt)
        bytes.append(bigEndian: UInt64(0))
        let check = bytes.withUnsafeBytes { Digest.sha256($0).words.0 }
        bytes.append(bigEndian: check)
        return bytes
    }

    enum HeadFault: Error {
        case damaged
        case newerForm
    }

    /// Reads what ``head(ofPack:)`` writes.
    init(head bytes: UnsafeRawBufferPointer, ofPack number: UInt32) throws(HeadFault) {
        guard bytes.count >= Self.fileByteCount, bytes.prefix(7).elementsEqual(Self.letters) else { throw .damaged }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[..<56])
        guard bytes.number(at: 56, as: UInt64.self) == Digest.sha256(checked).words.0,
            bytes.number(at: 8, as: UInt64.self) == UInt64(number)
        else { throw .damaged }
        guard bytes[7] == Self.form else { throw .newerForm }
        salt = bytes.digest(at: 16)
    }
}
