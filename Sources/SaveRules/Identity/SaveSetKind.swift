public import Vocabulary

/// The kind of ``SaveSetID``.
public enum SaveSetKind: NamedByLot {}

/// The id of a game, the same on every machine, whatever its name and its folder are there.
public typealias SaveSetID = RandomID<SaveSetKind>
