package import Vocabulary

/// A peer as people and programs are told of it: what it calls itself, and who it is.
package struct PeerTag: Hashable, Sendable, CustomStringConvertible {
    package let id: PeerID
    package let name: InstanceName?
    /// The name of another machine that this one's name can be taken for.
    package let twin: InstanceName?

    package init(_ id: PeerID, _ name: InstanceName?, twin: InstanceName? = nil) {
        (self.id, self.name, self.twin) = (id, name, twin)
    }

    /// Fit to print. A name alone, for it has been chosen by the person who let it in, or is beside its id.
    package var description: String { name.map { "\($0)\(twinMark)" } ?? id.short }

    /// With the id, where it has to be told from others of the same name.
    package var full: String { name.map { "\($0) (\(id.short))\(twinMark)" } ?? id.short }

    private var twinMark: String { twin.map { " (looks like “\($0)”)" } ?? "" }

    /// The same, and whether its name can be taken for that of another machine.
    package func marked(among others: [PeerTag]) -> PeerTag {
        guard let name else { return self }
        let twins = others.filter { $0.id != id && $0.name?.looksLike(name) == true }
        return PeerTag(id, name, twin: twins.compactMap(\.name).min())
    }
}
