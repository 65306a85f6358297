import CommandTable
import GameState
import SecureArchive
import Vocabulary

/// The options of `huddle state convert` that allow it to change values that a format can't hold.
enum Remedy {
    static let dropClasses = Flag(
        "drop-classes",
        help: "write objects as their values, without the names of their classes"
    )
    static let dataAsText = Flag("data-as-text", help: "write data as text in base64")
    static let datesAsText = Flag("dates-as-text", help: "write dates as text such as 2026-01-02T03:04:05Z")
    static let roundDates = Flag("round-dates", help: "round dates to seconds")
    static let dropNulls = Flag("drop-nulls", help: "leave out keys with null")

    static let options: [any DeclaredOption] = [dropClasses, dataAsText, datesAsText, roundDates, dropNulls]

    static func conversion(_ given: GivenValues) -> Conversion {
        var conversion = Conversion()
        conversion.dropsClassNames = given[dropClasses]
        conversion.writesDataAsText = given[dataAsText]
        conversion.writesDatesAsText = given[datesAsText]
        conversion.roundsDates = given[roundDates]
        conversion.dropsNulls = given[dropNulls]
        return conversion
    }

    /// Throws one error for all values that the format can't hold, with every option that would help.
    static func check(_ opened: OpenedState, to format: ArchiveFormat, _ conversion: Conversion) throws {
        let obstacles = opened.state.converted(to: format, conversion).obstacles(to: format)
        guard let first = obstacles.first else { return }
        let others = obstacles.count - 1
        let more = others == 0 ? "" : others == 1 ? ", and one other value" : ", and \(others) other values"
        let flags = obstacles.reduce(into: [String]()) { flags, obstacle in
            guard let flag = obstacle.remedy.map(self.flag), !flags.contains(flag.shape.longForm) else { return }
            flags.append(flag.shape.longForm)
        }
        let hasNoRemedy = obstacles.contains { $0.remedy == nil }
        throw CommandError(
            ErrorCode(.inexpressible, "archive.inexpressible"),
            "\(opened.file.shown): the format can't hold it: \(first.path): \(first.detail)\(more)",
            nextStep: hasNoRemedy || flags.isEmpty
                ? "choose a format that can hold it, or remove it from the save"
                : "choose a format that can hold it, or add \(flags.joined(separator: " "))"
        )
    }

    private static func flag(_ remedy: Obstacle.Remedy) -> Flag {
        switch remedy {
        case .dropClassNames: dropClasses
        case .writeDataAsText: dataAsText
        case .writeDatesAsText: datesAsText
        case .roundDates: roundDates
        case .dropNulls: dropNulls
        }
    }
}
