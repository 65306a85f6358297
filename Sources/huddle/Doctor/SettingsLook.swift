import CommandTable
import Diagnosis
import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The daemon's settings as its file and the environment have them; where they are wrong, as they are without.
struct SettingsLook: Sendable {
    let value: DaemonConfiguration
    let facts: SettingsFacts

    init(_ given: GivenValues, at path: String) {
        do {
            value = try DaemonSettings(huddledFromHere: given).configuration
            facts = SettingsFacts(path: path, trouble: nil)
        } catch let fault as ConfigurationFault {
            value = DaemonConfiguration()
            facts = SettingsFacts(path: path, trouble: fault.message)
        } catch {
            value = DaemonConfiguration()
            let isMissing = (error as? SystemError)?.number == ENOENT
            facts = SettingsFacts(path: path, trouble: isMissing ? nil : "\(error)")
        }
    }
}
