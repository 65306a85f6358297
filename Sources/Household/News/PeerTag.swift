package import Vocabulary

/// A peer as people and programs are told of it: what it calls itself, and who it is.
package struct PeerTag: Hashable, Sendable, CustomStringConvertible {
    package let id: PeerID
    package let name: InstanceName?

    package init(_ id: PeerID, _ name: InstanceName?) {
        self.id = id
        self.name = name
    }

    /// Fit to print. A name alone, for it has been chosen by the person who let it in, or is beside its id.
    package var description: String { name?.description ?? id.short }

    /// With the id, where it has to be told from others of the same name.
    package var full: String { name.map { "\($0) (\(id.short))" } ?? id.short }
}
