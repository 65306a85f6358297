import SecureArchive

/// A character of a role-playing game as it is kept in a keyed archive, with keys or in the older order without.
public struct SimpleCharacter: StateModel {
    /// Such as `red`.
    public var charColor = ""
    /// Such as `fighter`.
    public var charClass = ""
    /// How strong.
    public var strength = 0
    /// How nimble.
    public var dexterity = 0
    /// How hardy.
    public var constitution = 0
    /// How clever.
    public var intelligence = 0
    /// How wise.
    public var wisdom = 0
    /// How winning.
    public var charisma = 0

    /// Nobody yet.
    public init() {}

    /// The game's keys, in the order in which they are written without keys.
    public static let table = FieldTable<SimpleCharacter>(
        "SimpleCharacter",
        alsoCalled: ["decode.SimpleCharacter"],
        [
            .required("charColor", \.charColor, .text),
            .required("charClass", \.charClass, .text),
            .required("strength", \.strength, .integer),
            .required("dexterity", \.dexterity, .integer),
            .required("constitution", \.constitution, .integer),
            .required("intelligence", \.intelligence, .integer),
            .required("wisdom", \.wisdom, .integer),
            .required("charisma", \.charisma, .integer),
        ]
    )
}
