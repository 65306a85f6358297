import SecureArchive

/// A character of a role-playing game as a keyed archive has it, with keys or in the older order.
public struct SimpleCharacter: StateModel {
    /// Such as `red`.
    public var charColor = ""
    /// Such as `fighter`.
    public var charClass = ""
    /// The strength.
    public var strength = 0
    /// The dexterity.
    public var dexterity = 0
    /// The constitution.
    public var constitution = 0
    /// The intelligence.
    public var intelligence = 0
    /// The wisdom.
    public var wisdom = 0
    /// The charisma.
    public var charisma = 0

    /// A character without abilities.
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
