/// A class as a keyed archive defines it for its objects.
public struct KeyedClass: Sendable, Hashable {
    /// What `$classname` says. A word of a stranger's: it is allowed or not, and never looked up.
    public let name: ClassName
    /// What `$classes` says: the class and those it descends from. It is only shown and written back; an archive that claims an allowed
    /// ancestor gains nothing by it.
    public let chain: [String]

    /// Whether the chain stops at the class itself. Foundation's writers go on to `NSObject`; Python's bpylist2 does not.
    var namesNoAncestor: Bool { chain.count == 1 }
}
