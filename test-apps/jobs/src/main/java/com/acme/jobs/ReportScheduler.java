package com.acme.jobs;

import java.util.Properties;
import java.util.Set;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Schedules reports with Quartz, which stores jobs and triggers in a database. */
public final class ReportScheduler {
  private static final String QUARTZ = "org.quartz.";
  private static final int PAUSE_MILLIS = 200;

  private ReportScheduler() {}

  /** Arguments: the URL of the database, its user, and whether several nodes share the jobs. */
  public static void main(String[] args) throws SchedulerException {
    Scheduler scheduler =
        new StdSchedulerFactory(settings(args[0], args[1], args[2])).getScheduler();
    JobDetail job = JobBuilder.newJob(ReportJob.class).withIdentity("report").build();
    Trigger trigger =
        TriggerBuilder.newTrigger()
            .withIdentity("often")
            .withSchedule(
                SimpleScheduleBuilder.simpleSchedule()
                    .withIntervalInMilliseconds(PAUSE_MILLIS)
                    .repeatForever())
            .build();
    if (!scheduler.checkExists(job.getKey())) {
      scheduler.scheduleJob(job, Set.of(trigger), true);
    }
    scheduler.start();
    System.out.println("scheduler started");
  }

  private static Properties settings(String url, String user, String clustered) {
    Properties settings = new Properties();
    settings.setProperty(QUARTZ + "scheduler.instanceName", "reports");
    settings.setProperty(QUARTZ + "scheduler.instanceId", "AUTO");
    settings.setProperty(QUARTZ + "scheduler.skipUpdateCheck", "true");
    settings.setProperty(QUARTZ + "scheduler.idleWaitTime", "1000");
    settings.setProperty(QUARTZ + "threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    settings.setProperty(QUARTZ + "threadPool.threadCount", "2");
    String store = QUARTZ + "jobStore.";
    settings.setProperty(store + "class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
    settings.setProperty(
        store + "driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
    settings.setProperty(store + "dataSource", "main");
    settings.setProperty(store + "isClustered", clustered);
    settings.setProperty(store + "clusterCheckinInterval", "1000");
    String source = QUARTZ + "dataSource.main.";
    settings.setProperty(source + "provider", "hikaricp");
    settings.setProperty(source + "driver", "org.postgresql.Driver");
    settings.setProperty(source + "URL", url);
    settings.setProperty(source + "user", user);
    settings.setProperty(source + "maxConnections", "5");
    return settings;
  }
}
