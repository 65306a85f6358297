/// The list of players, as the user sees it.
struct Lobby: Equatable {
    let name: String
    /// Visible players by number.
    var people: [Int: String] = [:]
    /// The player whose question is shown.
    var asking: String?
    var notice = ""
}
