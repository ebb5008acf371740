/**
 * Runs of models in planned memory, for one shape ({@link VerifyRunner}) or several ({@link
 * RangesVerifyRunner}).
 */
package dev.stowage.cli.verify;
