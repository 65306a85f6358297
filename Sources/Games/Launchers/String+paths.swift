extension String {
    /// The last name of a path.
    var lastName: String? { split(separator: "/").last.map(String.init) }

    /// The path of the parent folder; nil for a name alone.
    var parentFolder: String? { lastIndex(of: "/").flatMap { $0 == startIndex ? nil : String(self[..<$0]) } }
}
