/// Who could be played with, as the person sees it.
struct Lobby: Equatable {
    let name: String
    /// Who is there, by the number that invites.
    var people: [Int: String] = [:]
    /// Who asks at this moment.
    var asking: String?
    var notice = ""
}
