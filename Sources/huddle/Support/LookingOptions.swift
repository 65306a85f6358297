import CommandTable
import Discovery
import Vocabulary

/// The options that looking and being seen have in common.
enum LookingOptions {
    static let type = Option(
        "type",
        short: "t",
        .serviceType,
        default: .huddle,
        environment: "HUDDLE_TYPE",
        help: "kind of service"
    )
    static let only = Option(
        repeating: "interface",
        short: "i",
        .text.named("PATTERN"),
        help: "only network interfaces like this, such as eth0 or “wl*”"
    )
    static let except = Option(
        repeating: "except-interface",
        .text.named("PATTERN"),
        help: "no network interfaces like this; those of containers and virtual machines are left out anyway"
    )
    static let json = Flag("json", help: "print one JSON object a line")

    static func interfaces(_ given: GivenValues) -> InterfaceChoice {
        InterfaceChoice(only: given[only], except: InterfaceChoice.containerBridges + given[except])
    }
}
