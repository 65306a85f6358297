public import Vocabulary

/// The kind of thing that a ``SaveSetID`` names.
public enum SaveSetKind: NamedByLot {}

/// Names one save set on every machine, whatever it is called and wherever it lies there.
public typealias SaveSetID = RandomID<SaveSetKind>
