public import Vocabulary

/// The kind of thing that a ``SaveSetID`` names.
public enum SaveSetKind: NamedByLot {}

/// Names one save set on every machine, whatever its name and its folder are there.
public typealias SaveSetID = RandomID<SaveSetKind>
