extension DocumentRule {
    /// Pages, and folders of pages, that may still have long lines or long paragraphs. None is added.
    private static let pending = [
        "docs/machines/",
        "docs/benchmarks.md",
    ]

    static func isPending(_ page: String) -> Bool {
        pending.contains { page.hasPrefix($0) }
    }
}
