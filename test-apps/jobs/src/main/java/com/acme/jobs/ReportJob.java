package com.acme.jobs;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Writes a report, one at a time in the whole cluster. */
@DisallowConcurrentExecution
public final class ReportJob implements Job {
  @Override
  public void execute(JobExecutionContext context) {
    System.out.println("report written");
  }
}
