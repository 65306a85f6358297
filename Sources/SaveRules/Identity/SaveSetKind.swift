public import Vocabulary

/// What a ``SaveSetID`` names.
public enum SaveSetKind: NamedByLot {}

/// Names one save set on every machine, whatever it is called and wherever it lies there.
public typealias SaveSetID = RandomID<SaveSetKind>
