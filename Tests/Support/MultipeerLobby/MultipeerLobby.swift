import MultipeerConnectivity

/// An app over ``Lobby`` for tests between hosts. It ends with its standard input.
@main
enum MultipeerLobby {
    static func main() throws {
        let lobby = Lobby(CommandLine.arguments.dropFirst().first ?? "somebody")
        try lobby.open()
        while readLine() != nil {}
        lobby.close()
    }
}
