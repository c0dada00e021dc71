package main

import "github.com/spf13/cobra"

// commands lists the subcommands, in the order of --help. Each is in a file
// of its own name.
func commands(g *globals) []*cobra.Command {
	return []*cobra.Command{
		newInitCmd(),
		newCheckCmd(g),
		newMigrateCmd(g),
		newPublicationCmd(g),
		newKeyCmd(g),
		newDetectCmd(g),
		newDeidCmd(g),
		newEvalCmd(),
		newConvertCmd(),
		newTrainCmd(),
		newModelsCmd(),
		newHarvestCmd(g),
		newRunCmd(g),
		newServeCmd(g),
		newReviewCmd(g),
		newSnapshotCmd(g),
		newWorkCmd(g),
		newStatusCmd(g),
		newRetryCmd(g),
		newReprocessCmd(g),
		newReconcileCmd(g),
		newPurgeCmd(g),
		newMaintainCmd(g),
		newVaultCmd(g),
		newReleaseCmd(g),
		newRiskCmd(g),
		newDossierCmd(g),
		newDemoCmd(),
		newBenchCmd(),
		newPlanCmd(),
		newVersionCmd(),
	}
}
