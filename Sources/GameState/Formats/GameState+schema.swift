public import SecureArchive

extension GameState {
    /// The default classes of a keyed archive: the value classes, and those of the models here with exactly their
    /// fields.
    public static let defaultSchema: ArchiveSchema = {
        var schema = ArchiveSchema.values
        schema.allow(SimpleCharacter.table)
        schema.allow(PasscodeSettings.table)
        return schema
    }()
}
