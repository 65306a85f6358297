extension OwnGames {
    static let fromNToS = """
        = NieR:Automata
        save <winDocuments>/My Games/NieR_Automata
        = Overcooked
        save <winLocalAppDataLow>/Ghost Town Games/Overcooked
        = Overcooked! 2
        save <winLocalAppDataLow>/Team17/Overcooked2
        = Overcooked! All You Can Eat
        save <winLocalAppDataLow>/Team17/Overcooked All You Can Eat
        = Oxygen Not Included
        save <winDocuments>/Klei/OxygenNotIncluded/save_files
        = Palworld
        save <winLocalAppData>/Pal/Saved/SaveGames
        = Patrick's Parabox
        save <winLocalAppDataLow>/Patrick Traynor/Patrick's Parabox
        = PAYDAY 2
        steam 218620
        save <winLocalAppData>/PAYDAY 2/saves
        = Peggle
        save <winProgramData>/Steam/Peggle/userdata
        = Persona 3 Reload
        save <winAppData>/SEGA/P3R
        = Persona 5 Royal
        save <winAppData>/SEGA/P5R/Steam
        = Phasmophobia
        save <winLocalAppDataLow>/Kinetic Games/Phasmophobia/saveData.txt
        = Planet Coaster
        save <winSavedGames>/Frontier Developments/Planet Coaster/*/Saves
        = Poly Bridge 2
        save <winLocalAppDataLow>/Dry Cactus/Poly Bridge 2
        = Poly Bridge 3
        save <winLocalAppDataLow>/Dry Cactus/Poly Bridge 3
        = Portal
        steam 400
        dir Portal
        save <installDir>/portal/save
        = Portal 2
        steam 620
        dir Portal 2
        save <installDir>/portal2/SAVE
        = Raft
        save <winLocalAppDataLow>/Redbeet Interactive/Raft/User
        = Ratchet & Clank: Rift Apart
        save <winDocuments>/Ratchet & Clank - Rift Apart
        = Rayman Legends
        save <winDocuments>/Rayman Legends
        = Red Dead Redemption 2
        save <winDocuments>/Rockstar Games/Red Dead Redemption 2/Profiles
        = Remnant II
        save <winSavedGames>/Remnant2/Steam
        = Returnal
        save <winLocalAppData>/Returnal/Steam/Saved/SaveGames
        = Rhythm Doctor
        steam 774181
        dir Rhythm Doctor
        save <installDir>/User
        = Rusty Lake Hotel
        save <winDocuments>/Rusty Lake/Hotel
        = Sackboy: A Big Adventure
        save <winSavedGames>/Sackboy/Steam/SaveGames
        = Samorost 3
        save <winAppData>/Amanita-Design.Samorost3/Local Store
        = SCARLET NEXUS
        save <winLocalAppData>/BANDAI NAMCO Entertainment/SCARLET NEXUS/Saved/SaveGames
        = Scrap Mechanic
        save <winAppData>/Axolot Games/Scrap Mechanic
        = Sea of Stars
        save <winLocalAppDataLow>/Sabotage Studio/Sea of Stars
        = Sekiro: Shadows Die Twice
        save <winAppData>/Sekiro
        = Shadow of the Tomb Raider
        save <winDocuments>/Shadow of the Tomb Raider
        = SILENT HILL 2
        save <winLocalAppData>/SilentHill2/Saved/SaveGames
        = Sonic Frontiers
        save <winAppData>/SEGA/SonicFrontiers/steam
        = Sonic Generations
        save <winDocuments>/My Games/Sonic Generations
        = Split Fiction
        save <winLocalAppData>/SplitFiction/SaveData.Split
        = Stardew Valley
        steam 413150
        dir Stardew Valley
        save <xdgConfig>/StardewValley/Saves
        save <winAppData>/StardewValley/Saves
        = Starmancer
        steam 1062000
        dir Starmancer
        gog 2066583773
        save <installDir>/stardata/save
        = SteamWorld Dig
        save <xdgData>/SteamWorldDig
        = Stray
        save <winLocalAppData>/Hk_project/Saved/SaveGames
        = Street Fighter V
        save <winLocalAppData>/StreetFighterV/Saved/SaveGames
        = Super Hexagon
        save <xdgData>/SuperHexagon
        = Super Meat Boy
        save <xdgData>/SuperMeatBoy/UserData/savegame.dat
        = SUPERHOT
        save <xdgConfig>/unity3d/SUPERHOT_Team/SUPERHOT
        save <winLocalAppDataLow>/SUPERHOT_Team/SUPERHOT
        = SuperTux
        save <xdgData>/supertux2/profile?/*.stsg
        = SuperTuxKart
        save <xdgConfig>/supertuxkart
        = Surviving Mars
        save <xdgData>/Surviving Mars/*/*.sav
        """
}
