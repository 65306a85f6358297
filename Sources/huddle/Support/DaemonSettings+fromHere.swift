import CommandTable
import FoundationEssentials
import Household

extension DaemonSettings {
    /// The settings that a daemon would have if the user started it from here.
    init(huddledFromHere given: GivenValues) throws {
        let environment = ProcessInfo.processInfo.environment
        let said = given.said(AskingOptions.state).flatMap {
            $0.variable == nil ? ["\(AskingOptions.state.shape.longForm)=\($0.text)"] : nil
        }
        try self.init(try DaemonOptions.read(said ?? [], environment), environment)
    }
}
