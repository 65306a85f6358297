import CommandTable
import GameState
import SecureArchive
import Vocabulary

/// The options that several commands about saves share.
enum StateOptions {
    static let file = Argument("FILE", .file, help: "the save")
    static let place = Argument("PATH", .statePath, help: "the place in the save, such as people[0].height")
    static let allow = Option(
        repeating: "allow",
        .className,
        help:
            """
            another class that a keyed archive may hold, by its exact name; plain value classes and those of known \
            games are accepted anyway
            """
    )
    static let format = Option(
        "format",
        .oneOf(SaveFormat.names),
        help: "the format of the file (default: by its first bytes)"
    )
    static let raw = Flag(
        "raw",
        help: "show a keyed archive as its numbered objects, whatever their classes"
    )
    static let output = Option("output", short: "o", .file, help: "the file to write")
    static let json = Flag("json", help: "print JSON")

    /// The options of each command that opens a save.
    static let opening: [any DeclaredOption] = [allow, format, json]

    static func schema(_ given: GivenValues) -> ArchiveSchema {
        given[allow].reduce(into: GameState.defaultSchema) { schema, name in
            if schema.allowedClass(name) == nil { schema.allow(ArchiveClass(withAnyFields: name)) }
        }
    }

    static func chosenFormat(_ given: GivenValues) -> SaveFormat? {
        given[format].flatMap(SaveFormat.init(name:))
    }
}

extension ValueForm where Value == ClassName {
    /// The form of an exact class name.
    static var className: ValueForm {
        ValueForm(placeholder: "CLASS", like: "SimpleCharacter or Game.Hero", write: \.description) { text in
            // A name with a leading `$` is a word of the tree format or of the archive format.
            guard text.utf8.first != UInt8(ascii: "$"), let name = ClassName(text) else {
                throw BadValue(
                    text,
                    isNot: "the name of a class",
                    because: "a name has letters, digits, “_”, “.” and “$”, and does not begin with “$”",
                    nextStep: "write it like SimpleCharacter or Game.Hero"
                )
            }
            return name
        }
    }
}

extension ValueForm where Value == StatePath {
    /// The form of a path in a save.
    static var statePath: ValueForm {
        ValueForm(placeholder: "PATH", like: "people[0].height", write: \.description) { text in
            try StatePath(parsing: text)
        }
    }
}
