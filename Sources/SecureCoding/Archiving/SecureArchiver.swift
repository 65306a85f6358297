public import Foundation
public import SecureArchive
internal import Vocabulary

/// Writes keyed archives in the place of Foundation's `NSKeyedArchiver`: classes with `NSSecureCoding` encode themselves with it as they stand.
///
/// ```swift
/// let data = try SecureArchiver.archivedData(withRootObject: hero, requiringSecureCoding: true)
/// ```
///
/// What it writes, Apple's, Foundation's and Python's readers open, and so does ``SecureUnarchiver``; what that would refuse is not written. The
/// same objects are the same bytes. An object that is encoded twice is one object, and a circle is
/// an error unless a class in it adopts ``BackReferenceDecoding``.
///
/// The first error stays (``error``), and from then on nothing is written.
public final class SecureArchiver: NSCoder {
    private let state: ArchivingState
    /// How the archive is spelt.
    public var outputFormat = ArchiveFormat.Spelling.binary

    /// An archive without an object.
    /// - Parameters:
    ///   - limits: how deep and how many objects there may be
    ///   - classes: what classes are called
    public init(limits: ArchiveLimits = ArchiveLimits(), classes: ClassTable = ClassTable()) {
        state = ArchivingState(limits: limits, classes)
        super.init()
    }

    /// The archive of one object, which stands at the root. Coding is always secure; without that being required it is refused.
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

    /// The archive, or nothing after an error.
    public var encodedData: Data {
        do {
            return try archivedData()
        } catch {
            failWithError(error)
            return Data()
        }
    }

    /// Ends encoding; there is nothing to do.
    public func finishEncoding() {}

    /// Writes a class under this name from now on. A name that no class can have is an error.
    public func setClassName(_ name: String?, for type: AnyClass) {
        guard let name else { return }
        guard let name = ClassName(name) else {
            return failWithError(ArchiveError(.inexpressible, "“\(PrintableText(name))” can't be the name of a class"))
        }
        state.setName(name, for: type)
    }

    // MARK: What it is

    /// Always.
    public override var requiresSecureCoding: Bool { true }
    /// Always.
    public override var allowsKeyedCoding: Bool { true }
    /// Always `setErrorAndReturn`.
    public override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    /// The first error.
    public override var error: (any Error)? { state.failure }
    /// None: it decodes nothing.
    public override var allowedClasses: [AnyClass]? { nil }
    /// As Foundation's own.
    public override var systemVersion: UInt32 { 2_000 }

    /// Keyed archives have no versions of classes.
    public override func version(forClassName className: String) -> Int { NSNotFound }

    /// Keeps the error, if it is the first. Foundation's own would print it.
    public override func failWithError(_ error: any Error) {
        state.fail(error)
    }

    // MARK: With keys

    /// An object, or nothing.
    public override func encode(_ object: Any?, forKey key: String) {
        state.attempt(at: key) { state.put(try state.reference(to: object, for: self), forKey: key) }
    }

    /// An object if it is written elsewhere already, else nothing.
    public override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        state.attempt(at: key) { state.put(try state.conditionalReference(to: object), forKey: key) }
    }

    /// A truth value.
    public override func encode(_ value: Bool, forKey key: String) { put(.bool(value), key) }
    /// A whole number.
    public override func encode(_ value: Int, forKey key: String) { put(.integer(ArchiveInteger(value)), key) }
    /// A whole number.
    public override func encode(_ value: Int32, forKey key: String) { put(.integer(ArchiveInteger(Int(value))), key) }
    /// A whole number.
    public override func encode(_ value: Int64, forKey key: String) { put(.integer(ArchiveInteger(Int(value))), key) }
    /// A number, also one that is not finite.
    public override func encode(_ value: Float, forKey key: String) { encode(Double(value), forKey: key) }

    /// A number, also one that is not finite.
    public override func encode(_ value: Double, forKey key: String) {
        state.attempt(at: key) { state.put(.real(ArchiveReal(said: value)), forKey: key) }
    }

    /// Bytes.
    public override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        // As many as the caller says are there, because the call has no other way to say it.
        put(.data(Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : max(length, 0)))), key)
    }

    private func put(_ value: ArchiveValue, _ key: String) {
        state.attempt(at: key) { state.put(value, forKey: key) }
    }

    // MARK: Without keys

    /// The next object, or nothing.
    public override func encode(_ object: Any?) {
        state.attempt(at: "") { state.putNext(try state.reference(to: object, for: self)) }
    }

    /// The next object if it is written elsewhere already, else nothing.
    public override func encodeConditionalObject(_ object: Any?) {
        state.attempt(at: "") { state.putNext(try state.conditionalReference(to: object)) }
    }

    /// The next object as data.
    public override func encode(_ data: Data) {
        encode(data as Any?)
    }

    /// The next object as a property list.
    public override func encodePropertyList(_ list: Any) {
        encode(list as Any?)
    }

    /// The next value, read from an address. The types are those of single numbers, truth values and objects.
    public override func encodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeRawPointer) {
        let code = String(cString: type)
        if code == ScalarCode.object.rawValue {
            // Room for an object is room for `Any?`, because that is what Foundation's own coder reads there.
            return encode(address.assumingMemoryBound(to: Any?.self).pointee)
        }
        if let row = RowCode(code) { return encodeRow(row, at: address) }
        state.attempt(at: "") { state.putNext(try CValue.value(code, at: address)) }
    }

    /// The next values, of one type.
    public override func encodeArray(ofObjCType type: UnsafePointer<CChar>, count: Int, at address: UnsafeRawPointer) {
        encodeRow(RowCode(count: count, element: String(cString: type)), at: address)
    }

    /// The next bytes, as Foundation's coder writes them: their count and a row of them.
    public override func encodeBytes(_ address: UnsafeRawPointer?, length: Int) {
        state.attempt(at: "") {
            // As many as the caller says are there, because the call has no other way to say it.
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
