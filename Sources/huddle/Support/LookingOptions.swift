import CommandTable
import Discovery
import Vocabulary

/// The options that browsing and advertising share.
enum LookingOptions {
    static let type = Option(
        "type",
        short: "t",
        .serviceType,
        default: .huddle,
        environment: "HUDDLE_TYPE",
        help: "the kind of service"
    )
    static let only = Option(
        repeating: "interface",
        short: "i",
        .text.named("PATTERN"),
        help: "a network interface to use, such as eth0 or “wl*” (default: all)"
    )
    static let except = Option(
        repeating: "except-interface",
        .text.named("PATTERN"),
        help: "a network interface to leave out; those of containers and virtual machines are left out anyway"
    )
    static let json = Flag("json", help: "print one JSON object a line")

    static func interfaces(_ given: GivenValues) -> InterfaceChoice {
        InterfaceChoice(only: given[only], except: InterfaceChoice.containerBridges + given[except])
    }
}
