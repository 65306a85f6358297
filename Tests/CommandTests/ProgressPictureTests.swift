import Diagnosis
import SessionRules
import Testing

@testable import huddle

@Suite("Progress and findings on a terminal", .timeLimit(.minutes(5)))
struct ProgressPictureTests {
    private let now = ContinuousClock.now

    private func line(_ title: String, width: Int) -> String {
        var progress = TransferProgress(total: 300 << 20, at: now)
        progress.moved(to: 100 << 20, at: now.advanced(by: .seconds(1)))
        return ProgressPicture(title, progress, width: width, at: now.advanced(by: .seconds(1))).line
    }

    @Test("A transfer fits a line of any width and keeps its name and percentage", arguments: 20...120)
    func fits(width: Int) {
        for title in ["a", "a-film-with-a-rather-long-name.mkv"] {
            let line = line(title, width: width)
            #expect(line.count < width)
            #expect(line.hasPrefix("a") && line.contains("33 %"))
        }
    }

    @Test("A wide line has the bar, percentage, size, rate and time left")
    func whole() {
        let bar = String(repeating: "█", count: 8) + String(repeating: "░", count: 16)
        #expect(line("film.mkv", width: 120) == "film.mkv  \(bar)  33 %  300 MiB  100 MiB/s  0:02 left")
    }

    @Test("A narrow line leaves out the size first, then the rate")
    func narrow() {
        #expect(line("film.mkv", width: 46) == "film.mkv  ██░░░░░  33 %  100 MiB/s  0:02 left")
        #expect(line("film.mkv", width: 30) == "film.mkv   33 %  0:02 left")
    }

    @Test("Explanations of the doctor are readable on a narrow terminal")
    func doctor() {
        let findings = DaemonFacts(version: "1", presence: .noDaemon, hasSystemd: true).findings
        let text = DoctorCommand.text(of: findings, false, width: 40)
        #expect(text.contains("\n    → systemctl --user enable --now huddled\n"), "\(text)")
        let explained = text.split(separator: "\n").filter { $0.hasPrefix("    ") && !$0.contains("→") }
        #expect(!explained.isEmpty && explained.allSatisfy { $0.count <= 40 }, "\(text)")
    }
}
