import Foundation
import SecureCoding

/// A class with a field of its own class or text, and one that may have more.
final class Holder: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    var narrow: Any?
    var wide: Any?
    var inherited: Any?

    override init() {}

    init?(coder: NSCoder) {
        if coder.containsValue(forKey: "wide") {
            wide = coder.decodeObject(of: [NSArray.self, NSString.self, Other.self, Keeper.self], forKey: "wide")
        }
        narrow = coder.decodeObject(of: [Holder.self, NSString.self, NSArray.self, Keeper.self], forKey: "narrow")
        inherited = coder.decodeObject(forKey: "inherited")
    }

    func encode(with coder: NSCoder) {
        coder.encode(narrow, forKey: "narrow")
        coder.encode(wide, forKey: "wide")
        coder.encode(inherited, forKey: "inherited")
    }
}

/// A class that keeps any object that the list of its own call allows.
final class Keeper: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var kept: Any?

    init?(coder: NSCoder) { kept = coder.decodeObject(forKey: "kept") }
    func encode(with coder: NSCoder) { coder.encode(kept, forKey: "kept") }
}

/// A class of the program that no list of `Holder.narrow` names.
class Other: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }

    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

/// A descendant of an allowed class.
final class OtherChild: Other {}

/// A class that does not support secure coding.
final class Unsafe: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { false }

    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

/// A class without secure coding.
final class Legacy: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

/// A class that derives from one of Foundation's whose coding is not used here. `@unchecked` because NSURL is so
/// itself, and it adds nothing.
final class OwnURL: NSURL, @unchecked Sendable {}

/// A class that accepts nothing.
final class Refuser: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    init?(coder: NSCoder) { return nil }
    func encode(with coder: NSCoder) {}
}

/// A class that reports a fault itself, and continues as if there were none.
final class Complainer: NSObject, NSSecureCoding {
    struct Complaint: Error, Equatable {}

    static var supportsSecureCoding: Bool { true }
    override init() {}

    init?(coder: NSCoder) {
        super.init()
        coder.failWithError(Complaint())
        _ = coder.decodeObject(of: Complainer.self, forKey: "more")
    }

    func encode(with coder: NSCoder) {
        coder.failWithError(Complaint())
        coder.encode("more", forKey: "more")
    }
}

/// One link of a chain.
final class Link: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var next: Link?

    override init() {}

    init?(coder: NSCoder) {
        next = coder.decodeObject(of: Link.self, forKey: "next")
    }

    func encode(with coder: NSCoder) { coder.encode(next, forKey: "next") }
}

/// A class that encodes a new one of itself, for ever.
final class Spring: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {
        coder.encode(Spring(), forKey: "left")
        coder.encode(Spring(), forKey: "right")
    }
}

/// A class that reads one field as a chosen kind of scalar.
final class Probe: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    init?(coder: NSCoder) {
        super.init()
        switch true {
        case coder.containsValue(forKey: "integer"): _ = coder.decodeInteger(forKey: "integer")
        case coder.containsValue(forKey: "int32"): _ = coder.decodeInt32(forKey: "int32")
        case coder.containsValue(forKey: "int64"): _ = coder.decodeInt64(forKey: "int64")
        case coder.containsValue(forKey: "cint"): _ = coder.decodeCInt(forKey: "cint")
        case coder.containsValue(forKey: "bool"): _ = coder.decodeBool(forKey: "bool")
        case coder.containsValue(forKey: "double"): _ = coder.decodeDouble(forKey: "double")
        case coder.containsValue(forKey: "float"): _ = coder.decodeFloat(forKey: "float")
        case coder.containsValue(forKey: "bytes"): _ = coder.withDecodedUnsafeBytes(forKey: "bytes") { $0?.count }
        case coder.containsValue(forKey: "object"): _ = coder.decodeObject(of: NSNumber.self, forKey: "object")
        case coder.containsValue(forKey: "point"): _ = coder.decodePoint(forKey: "point")
        case coder.containsValue(forKey: "list"): _ = coder.decodePropertyList(forKey: "list")
        default: break
        }
    }

    func encode(with coder: NSCoder) {}
}

/// A class that is written as another.
final class Mask: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    private let face: NSObject?

    init(_ face: NSObject?) { self.face = face }
    init?(coder: NSCoder) { return nil }
    func encode(with coder: NSCoder) {}
    override func replacementObject(for coder: NSCoder) -> Any? { face }
}

/// A class that is made as another.
final class Former: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    override init() {}
    init?(coder: NSCoder) { return nil }
    func encode(with coder: NSCoder) {}
    override class func classForKeyedUnarchiver() -> AnyClass { Other.self }
}
