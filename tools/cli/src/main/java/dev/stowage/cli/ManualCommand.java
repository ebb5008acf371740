package dev.stowage.cli;

import dev.stowage.cli.command.BudgetCommand;
import dev.stowage.cli.command.CheckCommand;
import dev.stowage.cli.command.DevicesCommand;
import dev.stowage.cli.command.DiffCommand;
import dev.stowage.cli.command.ExplainCommand;
import dev.stowage.cli.command.PlanCommand;
import dev.stowage.cli.command.ReplayCommand;
import dev.stowage.cli.command.RewriteCommand;
import dev.stowage.cli.command.SweepPlaceholder;
import dev.stowage.cli.command.TuneCommand;
import dev.stowage.cli.command.VerifyCommand;
import dev.stowage.cli.command.WhoCommand;
import dev.stowage.cli.plan.Interruption;
import java.io.InputStream;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/**
 * The command {@code stowage} with all of its commands, in the order of the help.
 *
 * <p>picocli's generator of manual pages reads this class. A {@link Program} takes the list from
 * the annotation, but reads the options of only the command that its arguments name.
 */
@Command(
    subcommands = {
      PlanCommand.class,
      BudgetCommand.class,
      CheckCommand.class,
      RewriteCommand.class,
      ExplainCommand.class,
      ReplayCommand.class,
      TuneCommand.class,
      DiffCommand.class,
      VerifyCommand.class,
      DevicesCommand.class,
      WhoCommand.class,
      SweepPlaceholder.class,
      AutoComplete.GenerateCompletion.class
    })
final class ManualCommand extends RootCommand {

  ManualCommand() {
    super(InputStream.nullInputStream(), new Interruption());
  }
}
