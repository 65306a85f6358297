public import Foundation
public import SecureArchive
internal import Vocabulary

/// A writer of keyed archives in place of Foundation's `NSKeyedArchiver`. Classes with `NSSecureCoding` encode
/// themselves without a change.
///
/// ```swift
/// let data = try SecureArchiver.archivedData(withRootObject: hero, requiringSecureCoding: true)
/// ```
///
/// The readers of Apple, Foundation and Python open its archives, and so does ``SecureUnarchiver``. Objects that the
/// latter would refuse are not written. The same objects give the same bytes. An object that is encoded twice is one
/// object, and a circle is an error unless a class in it adopts ``BackReferenceDecoding``.
///
/// The first error stays (``error``), and nothing is written after it.
public final class SecureArchiver: NSCoder {
    private let state: ArchivingState
    /// The spelling of the archive.
    public var outputFormat = ArchiveFormat.Spelling.binary

    /// Begins an archive without objects.
    /// - Parameters:
    ///   - limits: the depth and the count of objects
    ///   - classes: the names of classes
    public init(limits: ArchiveLimits = ArchiveLimits(), classes: ClassTable = ClassTable()) {
        state = ArchivingState(limits: limits, classes)
        super.init()
    }

    /// The archive of one object, which is the root. Coding is always secure, so a call that does not require it fails.
    public static func archivedData(
        withRootObject object: Any,
        requiringSecureCoding: Bool,
        limits: ArchiveLimits = ArchiveLimits(),
        classes: ClassTable = ClassTable()
    ) throws -> Data {
        guard requiringSecureCoding else { throw ArchiveError(.notAllowed, "coding here is always secure") }
        let archiver = SecureArchiver(limits: limits, classes: classes)
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        return try archiver.archivedData()
    }

    /// The archive, or the first error.
    public func archivedData() throws -> Data {
        let tree = try state.tree()
        return switch outputFormat {
        case .binary: Data(try BinaryPropertyList.write(tree))
        case .xml: Data(try XMLPropertyList.write(tree))
        }
    }

    /// The archive; empty after an error.
    public var encodedData: Data {
        do {
            return try archivedData()
        } catch {
            failWithError(error)
            return Data()
        }
    }

    /// Ends encoding. There is nothing to do.
    public func finishEncoding() {}

    /// Writes a class under this name from now on. An impossible name is an error.
    public func setClassName(_ name: String?, for type: AnyClass) {
        guard let name else { return }
        guard let name = ClassName(name) else {
            return failWithError(ArchiveError(.inexpressible, "“\(PrintableText(name))” can't be the name of a class"))
        }
        state.setName(name, for: type)
    }

    // MARK: What it is

    /// Always true.
    public override var requiresSecureCoding: Bool { true }
    /// Always true.
    public override var allowsKeyedCoding: Bool { true }
    /// Always `setErrorAndReturn`.
    public override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    /// The first error.
    public override var error: (any Error)? { state.failure }
    /// Always nil: an archiver decodes nothing.
    public override var allowedClasses: [AnyClass]? { nil }
    /// The same as Foundation's.
    public override var systemVersion: UInt32 { 2_000 }

    /// Keyed archives have no versions of classes.
    public override func version(forClassName className: String) -> Int { NSNotFound }

    /// Keeps the error, if it is the first. Foundation's own method would print it.
    public override func failWithError(_ error: any Error) {
        state.fail(error)
    }

    // MARK: With keys

    /// Encodes an object, or nil.
    public override func encode(_ object: Any?, forKey key: String) {
        state.attempt(at: key) { state.put(try state.reference(to: object, for: self), forKey: key) }
    }

    /// Encodes an object if it was encoded before, else nil.
    public override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        state.attempt(at: key) { state.put(try state.conditionalReference(to: object), forKey: key) }
    }

    /// Encodes a Boolean.
    public override func encode(_ value: Bool, forKey key: String) { put(.bool(value), key) }
    /// Encodes a whole number.
    public override func encode(_ value: Int, forKey key: String) { put(.integer(ArchiveInteger(value)), key) }
    /// Encodes a whole number.
    public override func encode(_ value: Int32, forKey key: String) { put(.integer(ArchiveInteger(Int(value))), key) }
    /// Encodes a whole number.
    public override func encode(_ value: Int64, forKey key: String) { put(.integer(ArchiveInteger(Int(value))), key) }
    /// Encodes a number; infinity and NaN are allowed.
    public override func encode(_ value: Float, forKey key: String) { encode(Double(value), forKey: key) }

    /// Encodes a number; infinity and NaN are allowed.
    public override func encode(_ value: Double, forKey key: String) {
        state.attempt(at: key) { state.put(.real(ArchiveReal(said: value)), forKey: key) }
    }

    /// Encodes bytes.
    public override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        // The count is the caller's word, because the call has no other way to pass it.
        put(.data(Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : max(length, 0)))), key)
    }

    private func put(_ value: ArchiveValue, _ key: String) {
        state.attempt(at: key) { state.put(value, forKey: key) }
    }

    // MARK: Without keys

    /// Encodes the next object, or nil.
    public override func encode(_ object: Any?) {
        state.attempt(at: "") { state.putNext(try state.reference(to: object, for: self)) }
    }

    /// Encodes the next object if it was encoded before, else nil.
    public override func encodeConditionalObject(_ object: Any?) {
        state.attempt(at: "") { state.putNext(try state.conditionalReference(to: object)) }
    }

    /// Encodes the next object, as data.
    public override func encode(_ data: Data) {
        encode(data as Any?)
    }

    /// Encodes the next object, as a property list.
    public override func encodePropertyList(_ list: Any) {
        encode(list as Any?)
    }

    /// Encodes the next value, read from an address. Its type is a number, a Boolean or an object.
    public override func encodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeRawPointer) {
        let code = String(cString: type)
        if code == ScalarCode.object.rawValue {
            // The address of an object is one of `Any?`, because Foundation's own coder reads that there.
            return encode(address.assumingMemoryBound(to: Any?.self).pointee)
        }
        if let row = RowCode(code) { return encodeRow(row, at: address) }
        state.attempt(at: "") { state.putNext(try CValue.value(code, at: address)) }
    }

    /// Encodes the next values, of one type.
    public override func encodeArray(ofObjCType type: UnsafePointer<CChar>, count: Int, at address: UnsafeRawPointer) {
        encodeRow(RowCode(count: count, element: String(cString: type)), at: address)
    }

    /// Encodes the next bytes as Foundation's coder does: their count and an array.
    public override func encodeBytes(_ address: UnsafeRawPointer?, length: Int) {
        state.attempt(at: "") {
            // The count is the caller's word, because the call has no other way to pass it.
            let bytes = UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : max(length, 0))
            state.putNext(.integer(ArchiveInteger(bytes.count)))
            state.putNext(
                try state.row(CValue.row(.int8, bytes.map { .integer(ArchiveInteger(Int(Int8(bitPattern: $0)))) }))
            )
        }
    }

    private func encodeRow(_ row: RowCode, at address: UnsafeRawPointer) {
        state.attempt(at: "") { state.putNext(try state.row(try CValue.row(row, at: address))) }
    }
}
