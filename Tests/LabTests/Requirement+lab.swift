import LabKit
import Testing
import Workbench

extension Requirement {
    /// A machine that can run labs.
    static let lab = Requirement("lab") { Lab.availability().isAvailable }
}

extension Trait where Self == ConditionTrait {
    /// Skips the tests with the reason if this machine can run no lab. If the lab is required, the tests run and fail.
    static var needsLab: Self {
        .enabled("\(Lab.availability().reason)") { Requirement.lab.isMetOrRequired }
    }

    /// Skips the tests if cables can't be impaired.
    static var needsImpairment: Self {
        .enabled("/dev/net/tun can't be opened, so lines can't be impaired") {
            Lab.availability().canImpair || Requirement.isRequired("lab")
        }
    }
}
