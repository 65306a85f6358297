import Glibc
import Workbench

/// Documents stay true: links lead somewhere, decisions say what they cost, nothing names a machine of its author.
enum DocumentRule {
    /// Links to files that `exists` does not know; links to the web and within the page are not followed.
    static func brokenLinks(in text: String, at path: String, exists: (String) -> Bool) -> [Finding] {
        let folder = path.split(separator: "/").dropLast()
        return proseLines(of: text).flatMap { line, number in
            line.matches(of: #/\]\(([^)\s]+)[^)]*\)/#).compactMap { match in
                let target = match.1.prefix { $0 != "#" }
                let isElsewhere = match.1.contains("://") || match.1.hasPrefix("mailto:") || match.1.hasPrefix("doc:")
                guard !target.isEmpty, !isElsewhere else { return nil }
                guard let file = resolved(target, from: Array(folder)), exists(file) else {
                    return Finding(path: path, line: number, text: "the link to \(target) leads nowhere")
                }
                return nil
            }
        }
    }

    static func missingSections(in text: String, at path: String) -> [Finding] {
        let titles = proseLines(of: text).map(\.line).filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        return ["Question", "Choice", "Cost"].filter { wanted in !titles.contains { $0 == wanted } }.map {
            Finding(path: path, line: 1, text: "a decision has a section “\($0)”")
        }
    }

    /// Paths that exist on one machine only. The homes of names that documentation uses are on no machine.
    static func machinePaths(in text: String, at path: String) -> [Finding] {
        let invented: Set = ["you", "user", "deck", "alice", "bob", "sam"]
        let workFolder = "/" + "work" + "/"
        // A pattern is slow, and few files have a path of a home.
        guard strstr(text, "/home/") != nil || strstr(text, workFolder) != nil else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { offset, line in
            let homes = line.matches(of: #//home/([a-z][a-z0-9_-]*)/#).map { String($0.1) }
            guard line.contains(workFolder) || homes.contains(where: { !invented.contains($0) }) else { return nil }
            return Finding(path: path, line: offset + 1, text: "a path of one machine: “\(line.prefix(80))”")
        }
    }

    /// Lines of more than 100 characters, and paragraphs of more than 120 words. A row of a table is one line however
    /// long it is, and so is a link that has no space.
    static func longTexts(in text: String, at path: String) -> [Finding] {
        let lines = proseLines(of: text).filter { !$0.line.drop { $0 == " " }.hasPrefix("|") }
        let long = lines.filter { $0.line.count > 100 && $0.line.dropFirst(2).contains(" ") }
        let paragraphs = lines.split { $0.line.isEmpty || $0.line.starts(with: #/\#| *- | *\d+\. /#) }
        let heavy = paragraphs.filter { lines in
            lines.reduce(0) { $0 + $1.line.split(separator: " ").count } > 120
        }
        return long.map { Finding(path: path, line: $0.number, text: "a line has at most 100 characters") }
            + heavy.compactMap(\.first).map {
                Finding(path: path, line: $0.number, text: "a paragraph has at most 120 words")
            }
    }

    /// The lines outside of code blocks, numbered from 1.
    private static func proseLines(of text: String) -> [(line: Substring, number: Int)] {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { offset, line in
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            return isCode ? nil : (line, offset + 1)
        }
    }

    private static func resolved(_ target: Substring, from folder: [Substring]) -> String? {
        var parts = target.hasPrefix("/") ? [] : folder
        for part in target.split(separator: "/") where part != "." {
            if part == ".." {
                guard !parts.isEmpty else { return nil }
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
