public import Foundation
public import SecureArchive
internal import Vocabulary

/// A reader of keyed archives from strangers, in place of Foundation's `NSKeyedUnarchiver`. Classes with
/// `NSSecureCoding` decode themselves without a change.
///
/// ```swift
/// let hero = try SecureUnarchiver.unarchivedObject(ofClass: SimpleCharacter.self, from: data)
/// ```
///
/// No archive can make it trap, and a program gets only objects that it asked for:
///
/// - A call gets only the classes that it names, exactly. It gets no subclass, unless ``ClassTable`` accepts it, but
///   the mutable forms of values. The same list is for the contents of a collection. A class that decodes an object
///   without a list gets the list under which it was decoded itself.
/// - Verdicts are per list: an object that two calls ask for is one instance, and must pass both lists.
/// - No class is looked up by a name. Other classes of Foundation than those of values, and classes that derive from
///   them, have no safe coding and are refused.
/// - A missing key gives nil, zero or false, as on Apple's systems. A value of another kind, or one that would change,
///   is an error.
///
/// The first error stays (``error``). After it everything is nil, zero or false, whatever ``decodingFailurePolicy`` a
/// class expects. A class whose `init(coder:)` returns nil is an error, too.
public final class SecureUnarchiver: NSCoder {
    private let state: UnarchivingState

    /// Opens an archive, binary or XML, and checks its structure. No object exists yet.
    /// - Parameters:
    ///   - data: the archive
    ///   - limits: the limits for reading
    ///   - classes: the names of classes in it
    public init(
        forReadingFrom data: Data,
        limits: ArchiveLimits = ArchiveLimits(),
        classes: ClassTable = ClassTable()
    ) throws {
        let graph = ObjectGraph(try Self.archive([UInt8](data), limits))
        state = UnarchivingState(graph, limits, classes)
        super.init()
    }

    private static func archive(_ bytes: [UInt8], _ limits: ArchiveLimits) throws(ArchiveError) -> KeyedArchive {
        if BinaryPropertyList.begins(bytes) { return try KeyedArchive(bytes, limits: limits) }
        return try KeyedArchive(propertyList: XMLPropertyList.read(bytes, limits: limits), limits: limits)
    }

    /// Also reads this class under that name, if a call names the class. Nil does nothing, because a name alone has no
    /// meaning here.
    public func setClass(_ type: AnyClass?, forClassName name: String) {
        guard let type, let name = ClassName(name) else { return }
        state.addName(name, for: type)
    }

    /// Ends decoding. There is nothing to do.
    public func finishDecoding() {}

    // MARK: What it is

    /// Always true.
    public override var requiresSecureCoding: Bool { true }
    /// Always true.
    public override var allowsKeyedCoding: Bool { true }
    /// Always `setErrorAndReturn`: no archive may end the program.
    public override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    /// The first error.
    public override var error: (any Error)? { state.failure }
    /// The list for decoding without a list.
    public override var allowedClasses: [AnyClass]? { state.currentTypes }
    /// The same as Foundation's.
    public override var systemVersion: UInt32 { 2_000 }

    /// Keyed archives have no versions of classes.
    public override func version(forClassName className: String) -> Int { NSNotFound }

    /// Keeps the error, if it is the first. Foundation's own method would print it, with a stranger's text as the
    /// format.
    public override func failWithError(_ error: any Error) {
        state.fail(error)
    }

    /// True if the key has a value of any kind.
    public override func containsValue(forKey key: String) -> Bool {
        state.failure == nil && state.value(forKey: key) != nil
    }

    // MARK: Objects

    /// An object of exactly this class.
    public override func decodeObject<Object: NSCoding>(
        of type: Object.Type,
        forKey key: String
    ) -> Object? where Object: NSObject {
        guard let object = decodeObject(of: [type], forKey: key) else { return nil }
        guard let object = object as? Object else {
            let words = "\(Object.self) was expected, and \(Swift.type(of: object)) is there"
            state.fail(ArchiveError(.notAllowed, words, at: state.path(key)))
            return nil
        }
        return object
    }

    /// An object of exactly one of these classes; with nil, of the current list.
    public override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        guard let classes else { return decodeObject(forKey: key) }
        return object(at: key, under: state.list(of: classes), inherits: false)
    }

    /// An object of one of the classes of the current list.
    public override func decodeObject(forKey key: String) -> Any? {
        object(at: key, under: state.currentList, inherits: true)
    }

    /// A text, number, data, date, array or dictionary of these.
    public override func decodePropertyList(forKey key: String) -> Any? {
        decodeObject(of: Self.propertyListClasses, forKey: key)
    }

    private static var propertyListClasses: [AnyClass] {
        [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSData.self, NSDate.self]
    }

    // MARK: Scalars

    /// A Boolean; a number is none.
    public override func decodeBool(forKey key: String) -> Bool {
        state.scalar(state.value(forKey: key), key: key, zero: false) { value throws(Misfit) in try value.asBool() }
    }

    /// A whole number that fits.
    public override func decodeInteger(forKey key: String) -> Int { whole(key) }
    /// A whole number that fits.
    public override func decodeCInt(forKey key: String) -> Int32 { whole(key) }
    /// A whole number that fits.
    public override func decodeInt32(forKey key: String) -> Int32 { whole(key) }
    /// A whole number that fits.
    public override func decodeInt64(forKey key: String) -> Int64 { whole(key) }

    /// A number that fits.
    public override func decodeFloat(forKey key: String) -> Float {
        state.scalar(state.value(forKey: key), key: key, zero: 0) { value throws(Misfit) in try value.asFloat() }
    }

    /// A number that fits.
    public override func decodeDouble(forKey key: String) -> Double {
        state.scalar(state.value(forKey: key), key: key, zero: 0) { value throws(Misfit) in try value.asDouble() }
    }

    private func whole<Number: FixedWidthInteger>(_ key: String) -> Number {
        state.scalar(state.value(forKey: key), key: key, zero: 0) { value throws(Misfit) in try value.asInteger() }
    }

    // MARK: Bytes

    /// Bytes, valid while the body runs.
    public override func withDecodedUnsafeBytes<Result>(
        forKey key: String,
        body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard let bytes = state.bytes(forKey: key) else { return try body(nil) }
        // Foundation's own way to hand out bytes, because `NSCoder` on Linux has no other; they live as long as the
        // array.
        return try bytes.withUnsafeBytes { try body($0) }
    }

    /// Bytes, valid while the body runs.
    @available(swift, deprecated: 9999, renamed: "withDecodedUnsafeBytes(forKey:body:)")
    public override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String,
        body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard let bytes = state.bytes(forKey: key) else { return try body(nil) }
        // As above, because a class that decodes itself has no other way.
        return try bytes.withUnsafeBufferPointer { try body($0) }
    }

    // MARK: Without keys

    /// The next object, of one of the classes of the current list.
    public override func decodeObject() -> Any? {
        nextObject(under: state.currentList, inherits: true)
    }

    /// The next property list.
    public override func decodePropertyList() -> Any? {
        nextObject(under: state.list(of: Self.propertyListClasses), inherits: false)
    }

    /// The next object as data.
    public override func decodeData() -> Data? {
        let data = nextObject(under: state.list(of: [NSData.self]), inherits: false) as? NSData
        return data.map { Data(referencing: $0) }
    }

    /// Reads the next value to an address, if it is of this type and fits. The type is a number, a Boolean or an
    /// object.
    public override func decodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeMutableRawPointer) {
        let code = String(cString: type)
        guard code == ScalarCode.object.rawValue else { return state.readValues(code, to: address) }
        // The address of an object is one of `Any`, because Foundation's own coder writes that there.
        if let object = decodeObject() { address.assumingMemoryBound(to: Any.self).pointee = object }
    }

    /// Reads the next values, of one type, that were written together.
    public override func decodeArray(
        ofObjCType type: UnsafePointer<CChar>,
        count: Int,
        at address: UnsafeMutableRawPointer
    ) {
        state.readRow(RowCode(count: count, element: String(cString: type)), to: address)
    }

    private func object(at key: String, under list: ClassList, inherits: Bool) -> NSObject? {
        state.object(state.value(forKey: key), under: list, key: key, inherits: inherits, for: self)
    }

    private func nextObject(under list: ClassList, inherits: Bool) -> NSObject? {
        let next = state.nextValue()
        return state.object(next.value, under: list, key: next.key, inherits: inherits, for: self)
    }
}
