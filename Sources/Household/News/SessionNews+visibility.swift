import Discovery
package import Session
package import Vocabulary

extension SessionNews {
    /// Whether others find this machine, and it them; nil as long as that is as everybody takes it to be.
    ///
    /// - Parameter name: what this machine wants to be called
    package static func visibility(_ visibility: Visibility, of name: InstanceName) -> SessionNews? {
        switch visibility {
        case .unknown, .looking, .seen(as: name): nil
        case .seen(let other): .found(as: other, instead: name)
        case .noInterface:
            .hidden("no-interface", "none of the network interfaces that were chosen is up")
        case .blind(let absence): .hidden(absence.rawValue, absence.description)
        }
    }

    /// That nothing stands in the way any more.
    package static func visible(as name: InstanceName) -> SessionNews {
        SessionNews("advertised", nil, "this machine and others find each other again") { $0.name = "\(name)" }
    }

    private static func found(as other: InstanceName, instead name: InstanceName) -> SessionNews {
        SessionNews("advertised", nil, "others find this machine as “\(other)”, for “\(name)” is taken here") {
            $0.name = "\(other)"
        }
    }

    private static func hidden(_ reason: String, _ message: String) -> SessionNews {
        SessionNews("withdrawn", nil, "others can't find this machine, nor it them: \(message)") { news in
            (news.reason, news.message, news.isTrouble) = (reason, message, true)
        }
    }
}
