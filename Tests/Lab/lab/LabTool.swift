import Glibc
import LabKit
import LinuxPlatform

/// The lab by hand: starts hosts, runs programs on them and breaks parts of them.
@main
struct LabTool {
    static func main() {
        var words = Words(Array(CommandLine.arguments.dropFirst()))
        let verb = words.next() ?? "help"
        do {
            try run(verb, &words)
        } catch {
            Console.note("\(error)")
            exit(error is UsageError ? 2 : 1)
        }
    }

    private static func run(_ verb: String, _ words: inout Words) throws {
        switch verb {
        case "help", "--help", "-h": Console.say(Help.text)
        case "check": try CheckCommand.run(&words)
        case "up": try UpCommand.run(&words)
        case "down": try LabCommand.end(&words)
        case "list": try LabCommand.list(&words)
        case "run": try RunCommand.run(&words)
        case "shell": try RunCommand.shell(&words)
        case "private": try PrivateCommand.run(&words)
        case "measure": try LabCommand.measure(&words)
        case "relay": try RelayCommand.run(&words)
        case "probe": try ProbeCommand.run(&words)
        default: try FaultCommand.run(verb, &words)
        }
    }
}
