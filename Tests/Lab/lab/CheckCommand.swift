import Glibc
import LabKit

/// `lab check`: check that this machine can run a lab.
enum CheckCommand {
    static func run(_ words: inout Words) throws {
        try words.finish()
        let availability = Lab.availability()
        Console.say(availability.reason)
        if availability.isAvailable {
            Console.say(
                availability.canImpair
                    ? "lines can be impaired" : "lines can't be impaired, as /dev/net/tun can't be opened"
            )
        }
        exit(availability.isAvailable ? 0 : 1)
    }
}
