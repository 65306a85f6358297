import Games

/// The properties of any bytes of a launcher's file, a manifest or a list of games. The fuzzer looks for bytes that
/// violate one.
///
/// The first byte of an input selects the kind of the others.
public enum GameProperties {
    /// The violated property; nil if all hold.
    public static func violation(for input: [UInt8]) -> String? {
        guard let first = input.first else { return nil }
        let bytes = Array(input.dropFirst())
        switch first % 7 {
        case 0: return manifestViolation(for: bytes)
        case 1: return indexViolation(for: bytes)
        case 2: return placeViolation(for: String(decoding: bytes, as: UTF8.self))
        case 3: return listViolation(for: String(decoding: bytes, as: UTF8.self))
        case 4: _ = KeyValuesReader.read(bytes)
        case 5: _ = BinaryKeyValuesReader.read(bytes)
        default: _ = YAMLFields.read(bytes)
        }
        return nil
    }

    private static func manifestViolation(for bytes: [UInt8]) -> String? {
        guard let games = try? ManifestReader.games(in: bytes) else { return nil }
        return games.lazy.compactMap(violation).first ?? indexViolation(of: games)
    }

    private static func violation(of game: KnownGame) -> String? {
        for place in game.places {
            if let violation = violation(of: place) { return violation }
        }
        // A list may have been written by hand; a title with a line break is stored nowhere.
        guard let text = GameList.text(of: game) else { return nil }
        let again = GameList.games(in: text)
        guard again.count == 1 else { return "a game became \(again.count) games" }
        guard game.alias != nil || again[0].places == game.places else {
            return "a game has other places than it was written with"
        }
        return nil
    }

    private static func violation(of place: GamePlace) -> String? {
        guard (try? GamePlace(place.description)) == place else { return "“\(place)” is not read as it is printed" }
        for component in place.tail {
            guard component.text != "..", component.text != ".", !component.text.isEmpty,
                !component.text.utf8.contains(UInt8(ascii: "/")), !component.text.utf8.contains(0)
            else { return "“\(place)” leads elsewhere" }
        }
        return place.tail.isEmpty ? "“\(place)” is a whole base" : nil
    }

    private static func indexViolation(of games: [KnownGame]) -> String? {
        var builder = GameIndex.Builder()
        for game in games { builder.add(game) }
        guard let index = GameIndex(builder.finish()) else { return "an index is not read as it was written" }
        for game in games where game.alias == nil && !game.places.isEmpty {
            // Of many games of one title, some are enough.
            guard !index.games(for: .title(game.title)).isEmpty else { return "a game is not found" }
        }
        return nil
    }

    private static func indexViolation(for bytes: [UInt8]) -> String? {
        guard let index = GameIndex(bytes) else { return nil }
        for title in ["A", "Celeste", ""] {
            for game in index.games(for: .title(title)) {
                if let violation = violation(of: game) { return violation }
            }
        }
        return nil
    }

    private static func placeViolation(for text: String) -> String? {
        guard let place = try? GamePlace(text) else { return nil }
        for component in place.tail {
            for name in ["a.sav", text, "", "AbC"] { _ = component.matches(name, ignoringCase: true) }
        }
        return violation(of: place)
    }

    private static func listViolation(for text: String) -> String? {
        GameList.games(in: text).lazy.compactMap(violation).first
    }
}
