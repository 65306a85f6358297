/// Who could be played with, as the person sees it.
struct Lobby: Equatable {
    let name: String
    /// Who is there, in the order in which they came.
    var people: [String] = []
    /// Who asks at this moment.
    var asking: String?
    var notice = ""
}
