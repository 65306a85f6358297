import LabKit
import Testing
import Workbench

extension Requirement {
    /// A machine that can run labs.
    static let lab = Requirement("lab") { Lab.availability().isAvailable }
}

extension Trait where Self == ConditionTrait {
    /// Skips where this machine can run no lab, and says why; where the lab is required, the tests run and fail instead.
    static var needsLab: Self {
        .enabled("\(Lab.availability().reason)") { Requirement.lab.isMetOrRequired }
    }

    /// Skips where lines can't be impaired.
    static var needsImpairment: Self {
        .enabled("/dev/net/tun can't be opened, so lines can't be impaired") {
            Lab.availability().canImpair || Requirement.isRequired("lab")
        }
    }
}
