/// A class as a keyed archive defines it for its objects.
public struct KeyedClass: Sendable, Hashable {
    /// The value of `$classname`, written by a stranger. It is compared with allowed names and never looked up.
    public let name: ClassName
    /// The value of `$classes`: the class and its ancestors. It is only shown and written back; an archive gains
    /// nothing from an allowed ancestor.
    public let chain: [String]

    /// True if the chain has only the class itself. Foundation's writers add `NSObject`; Python's bpylist2 does not.
    var namesNoAncestor: Bool { chain.count == 1 }
}
