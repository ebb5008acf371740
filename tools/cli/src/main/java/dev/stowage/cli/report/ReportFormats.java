package dev.stowage.cli.report;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.rewrite.OnnxRewriteReport;
import dev.stowage.cli.rewrite.RewriteReport;
import dev.stowage.cli.verify.VerifyResult;

/** The formats of all reports. */
public final class ReportFormats {

  private ReportFormats() {}

  /** {@return a table for the budgets of each model} */
  public static ReportFormat<BudgetReport> budgetTable() {
    return new BudgetTable();
  }

  /** {@return a line of JSON for each budget} */
  public static ReportFormat<BudgetReport> budgetJson() {
    return new BudgetJson();
  }

  /** {@return lines of CSV for the parts of each budget} */
  public static ReportFormat<BudgetReport> budgetCsv() {
    return new BudgetCsv();
  }

  /** {@return the resources of a Kubernetes container for each model} */
  public static ReportFormat<BudgetReport> budgetKubernetes() {
    return new BudgetKubernetes();
  }

  /**
   * {@return the format of rewritten models}
   *
   * @param isJson false for tables
   */
  public static ReportFormat<RewriteReport> rewrites(boolean isJson) {
    return isJson ? new RewriteJson() : new RewriteTable();
  }

  /**
   * {@return the format of rewritten ONNX models}
   *
   * @param isJson false for tables
   */
  public static ReportFormat<OnnxRewriteReport> onnxRewrites(boolean isJson) {
    return isJson ? new OnnxRewriteJson() : new OnnxRewriteTable();
  }

  /**
   * {@return the format of verified models}
   *
   * @param isJson false for tables
   */
  public static ReportFormat<VerifyResult> verifications(boolean isJson) {
    return isJson ? new VerifyJson() : new VerifyTable();
  }

  /** {@return a table of layouts for all shapes} */
  public static ReportFormat<ShapesReport> shapesTable() {
    return new ShapesTable();
  }

  /** {@return a line of JSON for the layouts of each input} */
  public static ReportFormat<ShapesReport> shapesJson() {
    return new ShapesJson();
  }

  /** {@return lines of CSV for the layouts of each input} */
  public static ReportFormat<ShapesReport> shapesCsv() {
    return new ShapesCsv();
  }

  /** {@return a line of JSON for each report} */
  public static PlanFormat planJson() {
    return new PlanJson();
  }

  /**
   * {@return a line of CSV for each plan}
   *
   * @param explains true if there are columns of the explanations
   */
  public static PlanFormat planCsv(boolean explains) {
    return new PlanCsv(explains);
  }

  /** {@return a table: one report in detail, or several side by side} */
  public static PlanFormat planTable() {
    return new PlanTable();
  }
}
