import Discovery
package import Session
package import Vocabulary

extension DaemonLine {
    /// The visibility of this machine; nil while it is as expected.
    ///
    /// - Parameter name: the name that this machine wants
    package static func visibility(_ visibility: Visibility, of name: InstanceName) -> DaemonLine? {
        switch visibility {
        case .unknown, .looking, .seen(as: name): nil
        case .seen(let other): .found(as: other, instead: name)
        case .noInterface:
            .hidden("no-interface", "none of the network interfaces that were chosen is up")
        case .blind(let absence): .hidden(absence.rawValue, absence.description)
        }
    }

    /// The line after the machine became visible again.
    package static func visible(as name: InstanceName) -> DaemonLine {
        DaemonLine(
            .advertised(AdvertisedEvent(name: "\(name)")),
            "this machine and others find each other again"
        )
    }

    private static func found(as other: InstanceName, instead name: InstanceName) -> DaemonLine {
        DaemonLine(
            .advertised(AdvertisedEvent(name: "\(other)")),
            "others find this machine as “\(other)”, because “\(name)” is taken"
        )
    }

    private static func hidden(_ reason: String, _ message: String) -> DaemonLine {
        DaemonLine(
            .hidden(HiddenEvent(reason: reason, message: message)),
            "others can't find this machine, nor it them: \(message)",
            isTrouble: true
        )
    }
}
