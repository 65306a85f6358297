package import SaveRules
import Vocabulary

/// A version that a check found damaged.
package struct DamagedVersionEvent: EventPayload, Codable {
    package var snapshot: String
    package var set: String?
    /// Name of the game, if it is on this machine.
    package var name: String?
    package var number: Int64?
    /// Damaged files, if the list of files can be read.
    package var files: [String]?

    package init(
        _ snapshot: SnapshotID,
        of set: SaveSetID?,
        named name: SaveSetName?,
        _ number: Int?,
        _ files: [String]
    ) {
        (self.snapshot, self.set, self.name) = (snapshot.description, set?.description, name?.description)
        (self.number, self.files) = (number.map { Int64($0) }, files.isEmpty ? nil : files)
    }

    package var event: String { "damaged-version" }
}
