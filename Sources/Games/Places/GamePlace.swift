/// A place of a game's saves, named independently of the machine: a base and a relative path with patterns.
///
/// No value leads up, leads elsewhere or matches a whole home: input from a manifest, another machine or the user goes
/// through the same initializer. The textual form is `<xdgData>/Celeste/Saves/*.celeste`.
package struct GamePlace: Sendable, Hashable, CustomStringConvertible {
    package let base: PlaceBase
    /// The components of the relative path, at least one.
    package let tail: [PlaceComponent]

    private static let mostComponents = 24
    private static let mostBytes = 1024

    package init(_ base: PlaceBase, _ tail: [PlaceComponent]) throws(PlaceRefusal) {
        let written = tail.map(\.text).joined(separator: "/")
        guard tail.count <= Self.mostComponents, written.utf8.count <= Self.mostBytes else { throw .tooLong }
        (self.base, self.tail) = (base, tail)
        if let refusal = PlaceBreadth.refusal(of: self) { throw refusal }
    }

    /// - Parameter tail: such as `Celeste/Saves/*.celeste`
    package init(_ base: PlaceBase, tail: String) throws(PlaceRefusal) {
        try self.init(base, Self.components(tail))
    }

    /// - Parameter text: the form that `description` prints
    package init(_ text: String) throws(PlaceRefusal) {
        guard let end = text.firstIndex(of: ">"),
            let base = PlaceBase.allCases.first(where: { $0.written == text[...end] })
        else { throw .noBase(text) }
        let rest = text[text.index(after: end)...]
        guard rest.first == "/" else { throw .tooBroad(text) }
        try self.init(base, tail: String(rest.dropFirst()))
    }

    static func components(_ tail: some StringProtocol) throws(PlaceRefusal) -> [PlaceComponent] {
        guard tail.utf8.count <= mostBytes else { throw .tooLong }
        var components: [PlaceComponent] = []
        for part in tail.split(separator: "/", omittingEmptySubsequences: false) {
            components.append(try PlaceComponent(String(part)))
        }
        return components
    }

    package var description: String { "\(base.written)/\(writtenTail)" }

    /// The relative path, such as `Celeste/Saves/*.celeste`.
    package var writtenTail: String { tail.map(\.text).joined(separator: "/") }

    /// The number of leading components that are folders for certain, or holes for one, before the first pattern.
    package var folderCount: Int {
        tail.firstIndex { component in
            switch component.form {
            case .name, .hole: false
            case .pattern, .anyDepth: true
            }
        } ?? tail.count
    }

    /// The names before the first hole or pattern.
    var fixedNames: [String] { tail.prefix { $0.isFixed }.map(\.text) }

    /// The place cut to its first components; nil if that is too broad.
    func prefix(_ count: Int) -> GamePlace? { try? GamePlace(base, Array(tail.prefix(count))) }
}
