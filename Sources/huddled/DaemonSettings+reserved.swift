import Household
import SaveSync

extension DaemonSettings {
    /// What no save set may have in it. Beside what is Huddle's own in the state folder sets may lie: a headless daemon may write nowhere else.
    func reserved(besides socket: String) -> [ReservedPlace] {
        let own = Set([state, usualState]).sorted().flatMap { state in
            [ReservedPlace(state, .own, wholly: false)]
                + ["history", "places"].map { ReservedPlace("\(state)/\($0)", .own, wholly: true) }
        }
        let others = [configurationPath, socket].map { ReservedPlace($0, .own, wholly: false) }
        return own + others + [ReservedPlace(inbox, .inbox, wholly: false)]
    }
}
