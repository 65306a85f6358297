import Diagnosis
import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The daemon's settings as its file has them; where that is wrong, as they are without.
struct SettingsLook: Sendable {
    let value: DaemonConfiguration
    let facts: SettingsFacts

    init(at path: String) {
        do {
            value = try DaemonConfiguration(try ConfigurationFile(at: path).bytes())
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
