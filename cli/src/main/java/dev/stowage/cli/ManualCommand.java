package dev.stowage.cli;

import dev.stowage.cli.plan.Interruption;
import java.io.InputStream;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/**
 * The command {@code stowage} with all of its commands, for picocli's generator of manual pages. A
 * run of {@link Stowage} reads only the command that its arguments name.
 */
@Command(
    subcommands = {
      PlanCommand.class,
      BudgetCommand.class,
      CheckCommand.class,
      RewriteCommand.class,
      ReplayCommand.class,
      TuneCommand.class,
      DiffCommand.class,
      VerifyCommand.class,
      DevicesCommand.class,
      SweepCommand.class,
      SweepPageCommand.class,
      AutoComplete.GenerateCompletion.class
    })
final class ManualCommand extends Stowage {

  ManualCommand() {
    super(InputStream.nullInputStream(), new Interruption());
  }
}
